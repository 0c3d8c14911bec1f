import { clock, createId } from "@stemma/core/internal";

/** A prefixed id that nobody else has. It is no secret: Node 18 has no global `crypto`, and ids rest on `Math.random` there. */
export function createRandomId(prefix: string): string {
	const bytes = new Uint8Array(10);
	const { crypto } = globalThis as { readonly crypto?: Pick<Crypto, "getRandomValues"> };
	const random = crypto?.getRandomValues(bytes) ?? bytes.map(() => Math.floor(Math.random() * 256));
	return createId(prefix, clock.now(), random);
}
