// Starts a process that is busy for ever, and waits.
import { spawn } from "node:child_process";

const script = new URL("./loop-for-ever.mjs", import.meta.url).pathname;
const { pid } = spawn(process.execPath, [script], { stdio: "ignore" });
process.stdout.write(`${pid}\n`);
setInterval(() => undefined, 1_000);
