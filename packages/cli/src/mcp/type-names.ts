import { isJsonObject } from "@stemma/core/internal";

/** The names of what a schema refers to within itself. */
export interface TypeNames {
	/** A name for `#/$defs/place`; `unknown` for what is elsewhere, which nobody fetches, or is not there. */
	nameOf(reference: string): string;
	/** What was asked for since the last call, to be written under its name. */
	take(): readonly NamedSchema[];
}

export interface NamedSchema {
	readonly name: string;
	readonly schema: unknown;
}

/**
 * @param root - the document that references are looked for in.
 * @param prefix - before each name.
 * @param taken - names of the same file; grows.
 */
export function createTypeNames(root: unknown, prefix: string, taken: Set<string>): TypeNames {
	const known = new Map<string, string>();
	let fresh: NamedSchema[] = [];
	return {
		nameOf(reference) {
			const before = known.get(reference);
			if (before !== undefined) return before;
			const found = resolvePointer(root, reference);
			if (found === undefined) return "unknown";
			const name = toTypeName(`${prefix} ${reference.split("/").at(-1)}`, taken);
			known.set(reference, name);
			fresh.push({ name, schema: found.schema });
			return name;
		},
		take() {
			const given = fresh;
			fresh = [];
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
export function toTypeName(text: string, taken: Set<string>): string {
	const words = text.split(/[^A-Za-z0-9]+/).filter(Boolean);
	const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
	const base = /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
	let name = base;
	for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
	taken.add(name);
	return name;
}
