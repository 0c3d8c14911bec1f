import { isJsonObject } from "@stemma/core/internal";

/** The names of what a schema refers to within itself. */
export interface TypeNames {
	/** A name for `#/$defs/place`; `unknown` for what is elsewhere, which nobody fetches, or is not there. */
	nameOf(reference: string): string;
	/** Returns the schemas that were requested since the last call, to be written under their names. */
	takePending(): readonly NamedSchema[];
}

export interface NamedSchema {
	readonly name: string;
	readonly schema: unknown;
}

/**
 * @param root - the document that references are looked for in.
 * @param prefix - before each name.
 * @param usedNames - names of the same file; grows.
 */
export function createTypeNames(root: unknown, prefix: string, usedNames: Set<string>): TypeNames {
	const known = new Map<string, string>();
	let pending: NamedSchema[] = [];
	return {
		nameOf(reference) {
			const before = known.get(reference);
			if (before !== undefined) return before;
			const found = resolvePointer(root, reference);
			if (found === undefined) return "unknown";
			const name = toTypeName(`${prefix} ${reference.split("/").at(-1)}`, usedNames);
			known.set(reference, name);
			pending.push({ name, schema: found.schema });
			return name;
		},
		takePending() {
			const given = pending;
			pending = [];
			return given;
		},
	};
}

function resolvePointer(root: unknown, reference: string): { readonly schema: unknown } | undefined {
	if (!/^#(\/|$)/.test(reference)) return undefined;
	let schema: unknown = root;
	for (const part of reference.split("/").slice(1)) {
		const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
		const holder: unknown = schema;
		if (!isJsonObject(holder) && !Array.isArray(holder)) return undefined;
		if (!Object.hasOwn(holder, key)) return undefined;
		schema = (holder as { readonly [key: string]: unknown })[key];
	}
	return { schema };
}

/** `list_documents` → `ListDocuments`; the second of a name gets a 2. */
export function toTypeName(text: string, usedNames: Set<string>): string {
	const words = text.split(/[^A-Za-z0-9]+/).filter(Boolean);
	const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
	const base = /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
	let name = base;
	for (let count = 2; usedNames.has(name); count++) name = `${base}${count}`;
	usedNames.add(name);
	return name;
}
