export { createHarness, type Harness } from "./processes/harness.ts";
export { type Program, type ProgramOptions, startProgram } from "./processes/program.ts";
export { findStablePort } from "./processes/stable-port.ts";
