"""Programs run and compared: engines, inputs, differences, and which operation is to blame."""
