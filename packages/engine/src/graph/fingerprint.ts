import type { AgentGraph } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/** Computes the fingerprint of everything in a graph that affects a run: without the nodes' positions and metadata. */
export function fingerprintGraph({ name, nodes, edges = [], limits = {} }: AgentGraph): string {
	const visibleNodes = nodes.map(({ position: _, metadata: __, ...node }) => node);
	return fingerprint({ name: name ?? null, nodes: visibleNodes, edges, limits });
}

/**
 * Computes a fingerprint of an object of JSON, independent of the order of keys. It detects mistakes, not forgery: anyone
 * can compute it.
 */
export function fingerprint(value: object): string {
	const hash: Hash = { high: 0, low: 0, keys: new Map() };
	hashValue(hash, value);
	return `${(hash.high >>> 0).toString(36)}-${(hash.low >>> 0).toString(36)}`;
}

/** Two halves that are mixed in different ways. Written to in place: saved runs have thousands of values. */
interface Hash extends HashHalves {
	/** Hashes of keys, which repeat often. */
	readonly keys: Map<string, HashHalves>;
}

interface HashHalves {
	high: number;
	low: number;
}

function hashValue(hash: Hash, value: unknown): void {
	if (typeof value === "string") return hashText(hash, value, 1);
	if (Array.isArray(value)) return hashList(hash, value);
	if (isJsonObject(value)) return hashMembers(hash, value);
	hashText(hash, String(value), 2);
}

function hashList(hash: Hash, list: readonly unknown[]): void {
	let { high, low } = start(3 + list.length);
	for (const element of list) {
		hashValue(hash, element);
		high = Math.imul(high ^ hash.high, 2654435761);
		low = Math.imul(low ^ hash.low, 1597334677);
	}
	finish(hash, high, low);
}

/** Databases may give the keys back in another order: members are added up, each mixed from its key and its value. */
function hashMembers(hash: Hash, object: Readonly<Record<string, unknown>>): void {
	let [high, low] = [4, 4];
	for (const key of Object.keys(object)) {
		const member = object[key];
		if (member === undefined) continue;
		const keyHash = hashKey(hash, key);
		hashValue(hash, member);
		finish(
			hash,
			Math.imul(keyHash.high, 2246822507) ^ hash.high,
			Math.imul(keyHash.low, 3266489909) ^ hash.low,
		);
		high = (high + hash.high) | 0;
		low = (low + hash.low) | 0;
	}
	finish(hash, high, low);
}

function hashKey(hash: Hash, key: string): HashHalves {
	const known = hash.keys.get(key);
	if (known !== undefined) return known;
	hashText(hash, key, 5);
	const halves = { high: hash.high, low: hash.low };
	hash.keys.set(key, halves);
	return halves;
}

/** cyrb53: two 32-bit multiplicative hashes, mixed at the end. */
function hashText(hash: Hash, text: string, seed: number): void {
	let { high, low } = start(seed);
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		high = Math.imul(high ^ code, 2654435761);
		low = Math.imul(low ^ code, 1597334677);
	}
	finish(hash, high, low);
}

const start = (seed: number): HashHalves => ({ high: 0xdeadbeef ^ seed, low: 0x41c6ce57 ^ seed });

function finish(hash: HashHalves, high: number, low: number): void {
	hash.high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	hash.low =
		Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(hash.high ^ (hash.high >>> 13), 3266489909);
}
