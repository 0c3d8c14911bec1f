import { type Document, parseAllDocuments } from "yaml";
import type { ParsedDocument } from "../document-part";
import { nestingError, UnreadableError } from "../unreadable-error";
import { toDataNode } from "./to-data-node";
import { writeData } from "./write-data";

/** Aliases of one document that are followed: a few lines of them can stand for billions of values. */
const MAX_ALIASES = 1_000;
/** Line end of old Macs, which the parser does not know. */
const OLD_LINE_END = /\r(?!\n)/g;
const NOTHING = /^(?:~|null|)$/iu;

/** Reads YAML. Values are texts as they are written; tags are left out, and nothing is run. */
export function readYaml(text: string): ParsedDocument {
	const values = parseDocuments(text).map(toValue);
	return writeData(toDataNode(values.length === 1 ? values[0] : values));
}

function parseDocuments(text: string): Document[] {
	try {
		// Scalars are not converted, so that `1.10` and `no` stay what they are.
		const documents = parseAllDocuments(text.replace(OLD_LINE_END, "\n"), {
			schema: "failsafe",
			merge: true,
			logLevel: "silent",
			uniqueKeys: false,
		});
		return "empty" in documents ? [] : documents;
	} catch (error) {
		if (error instanceof RangeError) throw nestingError("values");
		throw error;
	}
}

function toValue(document: Document): unknown {
	const [error] = document.errors;
	if (error?.code === "RESOURCE_EXHAUSTION") throw nestingError("values");
	if (error !== undefined) {
		const line = error.linePos?.[0].line;
		throw new UnreadableError(
			`it is not valid YAML (${error.code}${line === undefined ? "" : ` in line ${line}`})`,
		);
	}
	try {
		return document.toJS({ maxAliasCount: MAX_ALIASES, reviver: withoutNothing });
	} catch (thrown) {
		if (thrown instanceof RangeError) throw nestingError("values");
		if (!(thrown instanceof ReferenceError)) throw thrown;
		throw new UnreadableError("its aliases stand for too many values", {
			code: "too_complex",
			cause: thrown,
		});
	}
}

const withoutNothing = (_key: unknown, value: unknown): unknown =>
	typeof value === "string" && NOTHING.test(value) ? null : value;
