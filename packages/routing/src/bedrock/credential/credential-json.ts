import { isJsonObject, parseJson } from "@stemma/core/internal";
import { rejectCredential } from "./reject-credential";

/** Fields of a credential that is written as JSON; names as in the documentation. */
export type JsonFields = Partial<Record<FieldName, string>>;

type FieldName = "access_key_id" | "secret_access_key" | "session_token" | "Expiration" | "region";

/** Names of a credential's fields, by the name in lower case, without underscores and without `aws` before it. */
const FIELDS: ReadonlyMap<string, FieldName> = new Map([
	["accesskeyid", "access_key_id"],
	["secretaccesskey", "secret_access_key"],
	["sessiontoken", "session_token"],
	["expiration", "Expiration"],
	["region", "region"],
]);

const toKey = (name: string): string => name.toLowerCase().replaceAll("_", "").replace(/^aws/, "");

/**
 * Reads the fields of a credential in JSON: in snake case, with or without the prefix `aws_`, in camel case as AWS's SDKs
 * have them, or as the AWS CLI prints them; within `Credentials` or without.
 *
 * @throws ConfigurationError `invalid_credential`, also where a field has two spellings with different values.
 */
export function readJsonFields(text: string): JsonFields {
	const fields: JsonFields = {};
	for (const [name, value] of listEntries(parseObject(text))) {
		const field = FIELDS.get(toKey(name));
		if (field === undefined || value === null) continue;
		if (typeof value !== "string") rejectCredential(`must have a string as its \`${field}\``);
		const read = value.trim();
		if ((fields[field] ?? read) !== read)
			rejectCredential(`must have one \`${field}\`; it has two that differ`);
		fields[field] = read;
	}
	return fields;
}

function listEntries(whole: Record<string, unknown>): (readonly [name: string, value: unknown])[] {
	return Object.entries(whole).flatMap(([name, value]) => {
		if (toKey(name) !== "credentials" || value === null) return [[name, value] as const];
		if (!isJsonObject(value)) rejectCredential("must have a JSON object as its `Credentials`");
		return Object.entries(value);
	});
}

/** The parser's own error would repeat a piece of the text. */
function parseObject(text: string): Record<string, unknown> {
	const value = parseJson(text);
	if (!isJsonObject(value)) rejectCredential("must be valid JSON where it begins with `{`");
	return value;
}
