import { webcrypto } from "node:crypto";

/** Node 18 has WebCrypto, but not under the name that all platforms share, which the signer looks it up by. */
if (globalThis.crypto === undefined)
	Object.defineProperty(globalThis, "crypto", { value: webcrypto, configurable: true, enumerable: true });
