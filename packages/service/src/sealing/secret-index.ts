/** Finds many texts in another one, in a time that does not depend on how many they are. */
export interface SecretIndex {
	/** A text that is added twice is to be removed twice. */
	add(text: string): void;
	remove(text: string): void;
	isEmpty(): boolean;
	/** From where to where; in order, and without overlaps. */
	find(text: string): readonly Range[];
}

export type Range = readonly [start: number, end: number];

/** What the index is looked up by, and so the shortest text that it takes. */
export const SHORTEST = 8;

/**
 * A text that begins like one of them for so long is taken for it, even if it goes on differently, or not at all: it
 * may have been cut off. It also keeps the time linear: no place is read further than this without being passed over.
 */
const LONG_ENOUGH = 64;

/** A tree of texts in which what they have in common is there once. */
interface Branch {
	label: string;
	/** How often the text that ends here was added. */
	count: number;
	readonly next: Map<number, Branch>;
}

export function createSecretIndex(): SecretIndex {
	const roots = new Map<number, Branch>();
	return {
		add(text) {
			const hash = hashStart(text);
			const root = roots.get(hash) ?? createBranch("", 0);
			roots.set(hash, root);
			grow(root, text);
		},
		remove(text) {
			const hash = hashStart(text);
			const root = roots.get(hash);
			if (root === undefined) return;
			prune(root, text, 0);
			if (root.next.size === 0) roots.delete(hash);
		},
		isEmpty: () => roots.size === 0,
		find: (text) => findAll(roots, text),
	};
}

const createBranch = (label: string, count: number): Branch => ({ label, count, next: new Map() });

function grow(root: Branch, text: string): void {
	let branch = root;
	let position = 0;
	while (position < text.length) {
		const code = text.charCodeAt(position);
		const next = branch.next.get(code);
		if (next === undefined) {
			branch.next.set(code, createBranch(text.slice(position), 1));
			return;
		}
		const shared = countShared(next.label, text, position);
		branch = shared === next.label.length ? next : fork(branch, next, shared);
		position += shared;
	}
	branch.count += 1;
}

/** Puts a branch in between that ends where the label is cut. */
function fork(parent: Branch, branch: Branch, cut: number): Branch {
	const between = createBranch(branch.label.slice(0, cut), 0);
	parent.next.set(branch.label.charCodeAt(0), between);
	branch.label = branch.label.slice(cut);
	between.next.set(branch.label.charCodeAt(0), branch);
	return between;
}

function prune(branch: Branch, text: string, position: number): void {
	if (position === text.length) {
		branch.count = Math.max(0, branch.count - 1);
		return;
	}
	const code = text.charCodeAt(position);
	const next = branch.next.get(code);
	if (next === undefined || !text.startsWith(next.label, position)) return;
	prune(next, text, position + next.label.length);
	if (next.count === 0 && next.next.size === 0) branch.next.delete(code);
}

function countShared(label: string, text: string, position: number): number {
	let shared = 0;
	while (shared < label.length && label.charCodeAt(shared) === text.charCodeAt(position + shared)) shared++;
	return shared;
}

const BASE = 0x01000193;

/** `BASE` to the power of `SHORTEST`: takes the oldest character out of a hash. */
const OLDEST = Array.from({ length: SHORTEST }).reduce<number>((power) => Math.imul(power, BASE), 1);

function hashStart(text: string): number {
	let hash = 0;
	for (let index = 0; index < SHORTEST; index++) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0;
	return hash;
}

function findAll(roots: ReadonlyMap<number, Branch>, text: string): Range[] {
	const found: Range[] = [];
	if (text.length < SHORTEST) return found;
	let hash = hashStart(text);
	let free = 0;
	for (let start = 0; start + SHORTEST <= text.length; start++) {
		const root = start < free ? undefined : roots.get(hash);
		const length = root === undefined ? 0 : measure(root, text, start);
		if (length > 0) {
			free = start + length;
			found.push([start, free]);
		}
		const gone = Math.imul(text.charCodeAt(start), OLDEST);
		hash = (Math.imul(hash, BASE) + text.charCodeAt(start + SHORTEST) - gone) | 0;
	}
	return found;
}

/** How many characters from here are one of the texts; 0 for none. */
function measure(root: Branch, text: string, start: number): number {
	let branch = root;
	let position = start;
	let end = start;
	for (;;) {
		const next = branch.next.get(text.charCodeAt(position));
		if (next === undefined) break;
		const shared = countShared(next.label, text, position);
		position += shared;
		if (shared < next.label.length) break;
		if (next.count > 0) end = position;
		branch = next;
	}
	return position - start >= LONG_ENOUGH ? position - start : end - start;
}
