import type { Host } from "./node-version.mjs";

/** Packages of pnpm for a platform, each with its hash in hexadecimal. */
export function readPins(host?: Omit<Host, "version">): readonly { spec: string; sha512: string }[];
