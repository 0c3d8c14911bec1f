/** Finds many texts in another one, in a time that does not depend on how many they are. */
export interface SecretIndex {
	/** A text that is added twice is to be removed twice. */
	add(text: string): void;
	remove(text: string): void;
	isEmpty(): boolean;
	/** Finds the ranges of added texts in a text, in order and without overlaps. */
	find(text: string): readonly Range[];
}

export type Range = readonly [start: number, end: number];

/** Length of the prefix that the index is looked up by, and so the minimum length of a text. */
export const MIN_SECRET_CHARACTERS = 8;

/**
 * A text that begins like one of them for so long is taken for it, even if it goes on differently, or not at all: it
 * may have been cut off. It also keeps the time linear: no place is read further than this without being passed over.
 */
const MAX_COMPARED_CHARACTERS = 64;

/** A tree of texts in which what they have in common is there once. */
interface TrieNode {
	label: string;
	/** Number of times that the text which ends at this node was added. */
	count: number;
	readonly children: Map<number, TrieNode>;
}

export function createSecretIndex(): SecretIndex {
	const roots = new Map<number, TrieNode>();
	return {
		add(text) {
			const hash = hashPrefix(text);
			const root = roots.get(hash) ?? createNode("", 0);
			roots.set(hash, root);
			insert(root, text);
		},
		remove(text) {
			const hash = hashPrefix(text);
			const root = roots.get(hash);
			if (root === undefined) return;
			removeFrom(root, text, 0);
			if (root.children.size === 0) roots.delete(hash);
		},
		isEmpty: () => roots.size === 0,
		find: (text) => findAll(roots, text),
	};
}

const createNode = (label: string, count: number): TrieNode => ({ label, count, children: new Map() });

function insert(root: TrieNode, text: string): void {
	let node = root;
	let position = 0;
	while (position < text.length) {
		const code = text.charCodeAt(position);
		const next = node.children.get(code);
		if (next === undefined) {
			node.children.set(code, createNode(text.slice(position), 1));
			return;
		}
		const shared = commonPrefixLength(next.label, text, position);
		node = shared === next.label.length ? next : splitNode(node, next, shared);
		position += shared;
	}
	node.count += 1;
}

/** Puts a branch in between that ends where the label is cut. */
function splitNode(parent: TrieNode, node: TrieNode, cut: number): TrieNode {
	const between = createNode(node.label.slice(0, cut), 0);
	parent.children.set(node.label.charCodeAt(0), between);
	node.label = node.label.slice(cut);
	between.children.set(node.label.charCodeAt(0), node);
	return between;
}

function removeFrom(node: TrieNode, text: string, position: number): void {
	if (position === text.length) {
		node.count = Math.max(0, node.count - 1);
		return;
	}
	const code = text.charCodeAt(position);
	const next = node.children.get(code);
	if (next === undefined || !text.startsWith(next.label, position)) return;
	removeFrom(next, text, position + next.label.length);
	if (next.count === 0 && next.children.size === 0) node.children.delete(code);
}

function commonPrefixLength(label: string, text: string, position: number): number {
	let shared = 0;
	while (shared < label.length && label.charCodeAt(shared) === text.charCodeAt(position + shared)) shared++;
	return shared;
}

const HASH_BASE = 0x01000193;

/** `HASH_BASE` to the power of `MIN_SECRET_CHARACTERS`: takes the oldest character out of a hash. */
const OLDEST_CHARACTER_FACTOR = Array.from({ length: MIN_SECRET_CHARACTERS }).reduce<number>(
	(power) => Math.imul(power, HASH_BASE),
	1,
);

function hashPrefix(text: string): number {
	let hash = 0;
	for (let index = 0; index < MIN_SECRET_CHARACTERS; index++)
		hash = (Math.imul(hash, HASH_BASE) + text.charCodeAt(index)) | 0;
	return hash;
}

function findAll(roots: ReadonlyMap<number, TrieNode>, text: string): Range[] {
	const found: Range[] = [];
	if (text.length < MIN_SECRET_CHARACTERS) return found;
	let hash = hashPrefix(text);
	let nextFree = 0;
	for (let start = 0; start + MIN_SECRET_CHARACTERS <= text.length; start++) {
		const root = start < nextFree ? undefined : roots.get(hash);
		const length = root === undefined ? 0 : matchLength(root, text, start);
		if (length > 0) {
			nextFree = start + length;
			found.push([start, nextFree]);
		}
		const removed = Math.imul(text.charCodeAt(start), OLDEST_CHARACTER_FACTOR);
		hash = (Math.imul(hash, HASH_BASE) + text.charCodeAt(start + MIN_SECRET_CHARACTERS) - removed) | 0;
	}
	return found;
}

/** Returns the length of an added text that starts here; 0 where there is none. */
function matchLength(root: TrieNode, text: string, start: number): number {
	let node = root;
	let position = start;
	let end = start;
	for (;;) {
		const next = node.children.get(text.charCodeAt(position));
		if (next === undefined) break;
		const shared = commonPrefixLength(next.label, text, position);
		position += shared;
		if (shared < next.label.length) break;
		if (next.count > 0) end = position;
		node = next;
	}
	return position - start >= MAX_COMPARED_CHARACTERS ? position - start : end - start;
}
