import { isIP } from "node:net";

/** Part of a forwarding header: what one proxy says about who has sent it the request. */
export interface ForwardingHop {
	/** IP address; left out where the proxy keeps it to itself, or where it cannot be read. */
	readonly address?: string | undefined;
	/** `http` or `https`; left out where the proxy does not say. */
	readonly scheme?: string | undefined;
}

/** Reads `X-Forwarded-For`: hops from the client on. */
export const parseForwardedFor = (header: string): readonly ForwardingHop[] =>
	header.split(",").map((part) => ({ address: toAddress(part.trim()) }));

/** One pair of `Forwarded`, with what ends it. Ports are seen without quotes, though the grammar wants some. */
const PAIR = /[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))[ \t]*(;|,|$)/y;

/** Reads `Forwarded` (RFC 7239): hops from the client on. One that cannot be read is a single hop without an address. */
export function parseForwarded(header: string): readonly ForwardingHop[] {
	const hops: ForwardingHop[] = [];
	let pairs = new Map<string, string>();
	PAIR.lastIndex = 0;
	while (PAIR.lastIndex < header.length) {
		const match = PAIR.exec(header);
		if (match === null) return [{}];
		const [, name = "", quoted, plain, end] = match;
		pairs.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "");
		if (end === ";") continue;
		hops.push({ address: toAddress(pairs.get("for") ?? ""), scheme: pairs.get("proto")?.toLowerCase() });
		pairs = new Map();
	}
	return hops;
}

/** Reads `192.0.2.1`, `2001:db8::1` and `[2001:db8::1]`, with a port or without. */
function toAddress(text: string): string | undefined {
	const [, bracketed, dotted] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\w+)?$/i.exec(text) ?? [];
	const address = bracketed ?? dotted ?? text;
	return isIP(address) === 0 || address.includes("%") ? undefined : address;
}
