// Builds the page: one HTML file with its script and its style inside, into ../tools/page/.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const here = (path) => new URL(path, import.meta.url);
const common = { bundle: true, minify: true, write: false, logLevel: "warning" };
const text = (result) => result.outputFiles[0].text;
const bundled = ["@dagrejs/dagre", "@dagrejs/graphlib"];

const script = text(
  await build({
    ...common,
    entryPoints: [here("src/main.ts").pathname],
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
  }),
);
const style = text(await build({ ...common, entryPoints: [here("src/style/page.css").pathname] }));
const licenses = await Promise.all(bundled.map(license));
const page = (await readFile(here("src/page.html"), "utf8"))
  .replace("<!--licenses-->", () => `<!--\n${licenses.join("\n\n")}\n-->`)
  .replace("/*style*/", () => style.trim())
  // the script stands inside an element of the page, which its text must not end
  .replace("/*script*/", () => script.trim().replaceAll("</script", "<\\/script"));
// where tools/pictures/page.py puts the data
if (!page.includes('<script type="application/json" id="data">null</script>'))
  throw new Error("src/page.html has no place for the data");
await mkdir(here("../tools/page/"), { recursive: true });
await writeFile(here("../tools/page/page.html"), page);
console.log(`tools/page/page.html: ${Math.round(Buffer.byteLength(page) / 1024)} KiB`);

/** What a bundled package asks to be kept: its name, its version and its license. */
async function license(name) {
  const folder = `node_modules/${name}/`;
  const { version } = JSON.parse(await readFile(here(`${folder}package.json`), "utf8"));
  const terms = await readFile(here(`${folder}LICENSE`), "utf8");
  return `${name} ${version}\n${terms.trim()}`.replaceAll("--", "- -");
}
