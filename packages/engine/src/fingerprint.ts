import type { AgentGraph, Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/** Of all of a graph that a run can tell: not where it is drawn, nor what is only kept with it. */
export function fingerprintGraph({ name, nodes, edges = [], limits = {} }: AgentGraph): string {
	const seen = nodes.map(({ position: _, metadata: __, ...node }) => node);
	// Graphs are JSON; interfaces are not known to be.
	return fingerprint({ name: name ?? null, nodes: seen, edges, limits } as unknown as Json);
}

/** The same for the same JSON, in whatever order its keys are. It shows mistakes and no forgery: anyone can compute it. */
export function fingerprint(value: Json): string {
	const text = writeSorted(value);
	return [1, 2].map((seed) => hash(text, seed).toString(36)).join("-");
}

/** Databases may give the keys back in another order. */
function writeSorted(value: Json): string {
	if (Array.isArray(value)) return `[${value.map(writeSorted).join()}]`;
	if (!isJsonObject(value)) return JSON.stringify(value);
	const entries = Object.entries(value) as [string, Json][];
	const members = entries
		.filter(([, member]) => member !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, member]) => `${JSON.stringify(key)}:${writeSorted(member)}`);
	return `{${members.join()}}`;
}

/** cyrb53: two 32-bit multiplicative hashes, mixed, as one number of 53 bits. */
function hash(text: string, seed: number): number {
	let high = 0xdeadbeef ^ seed;
	let low = 0x41c6ce57 ^ seed;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		high = Math.imul(high ^ code, 2654435761);
		low = Math.imul(low ^ code, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	return 4294967296 * (2097151 & low) + (high >>> 0);
}
