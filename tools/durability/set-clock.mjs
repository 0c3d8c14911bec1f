// Preloaded into a process: its time of day is off by the milliseconds that the file named by `CLOCK_OFFSET_FILE` has in it.
import { readFileSync } from "node:fs";

const { CLOCK_OFFSET_FILE: file = "" } = process.env;
const machineNow = Date.now.bind(Date);

Date.now = () => machineNow() + Number(readFileSync(file, "utf8"));
