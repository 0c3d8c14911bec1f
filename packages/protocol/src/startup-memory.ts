import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8's space for young objects as small as it is while modules are loaded: it would grow to 16 MB and more, which an
 * idle program keeps. V8 ends the limit itself with the first worker thread.
 *
 * @returns a function that ends the limit, so that requests get what they need.
 */
export function limitStartupMemory(): () => void {
	setFlagsFromString("--semi-space-growth-factor=1");
	// V8's own default.
	return () => setFlagsFromString("--semi-space-growth-factor=2");
}
