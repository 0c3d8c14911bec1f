import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Counts from now on how often this process opens a credential: nothing else in a service decrypts. */
export function countOpens() {
	const { createDecipheriv } = crypto;
	let opens = 0;
	crypto.createDecipheriv = (...args) => {
		opens += 1;
		return createDecipheriv(...args);
	};
	// Modules that have imported it by name get this one, too.
	syncBuiltinESMExports();
	return () => opens;
}
