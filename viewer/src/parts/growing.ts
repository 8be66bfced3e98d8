/** Notices what a run that still goes on adds to its bundle. */

import { newerPage, type Page } from "../data";

const PAUSE = 1000;

/** Tells of each newer state of a page; looks less often where that takes long or fails. */
export function watch(page: Page, grown: (page: Page) => void): void {
  let { version } = page;
  const look = async () => {
    const start = performance.now();
    let pause = PAUSE;
    try {
      const newer = document.hidden ? null : await newerPage(version);
      if (newer) {
        version = newer.version;
        grown(newer);
      }
      pause = Math.max(pause, 5 * (performance.now() - start));
    } catch {
      pause *= 10;
    }
    setTimeout(look, pause);
  };
  setTimeout(look, PAUSE);
}
