import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Counts from now on how often this process opens a credential: nothing else in a service decrypts. */
export function countDecryptions() {
	const { createDecipheriv } = crypto;
	let decryptions = 0;
	crypto.createDecipheriv = (...args) => {
		decryptions += 1;
		return createDecipheriv(...args);
	};
	// Modules that have imported it by name get this one, too.
	syncBuiltinESMExports();
	return () => decryptions;
}
