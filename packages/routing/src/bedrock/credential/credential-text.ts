import { throwOptionError } from "../../http/call-options";
import { readJsonFields } from "./credential-json";
import { rejectCredential as reject } from "./reject-credential";
import type { BedrockSecret } from "./secret";

/** AWS credential that was read from one of the forms in which it is written. */
export interface CredentialText {
	readonly secret: BedrockSecret;
	/** Region, for endpoints that name none themselves. */
	readonly region?: string;
}

type Keys = Readonly<Record<"access" | "secret" | "session", string>>;

const JSON_NAMES: Keys = {
	access: "access_key_id",
	secret: "secret_access_key",
	session: "session_token",
};
const PART_NAMES: Keys = { access: "ACCESS", secret: "SECRET", session: "SESSION_TOKEN" };

/** @throws ConfigurationError; see `parseBedrockCredential`. No message is made of anything in the text. */
export function readCredentialText(input: unknown, now: number): CredentialText {
	const text = typeof input === "string" ? input.trim() : "";
	if (text === "") reject("must be a credential; it is empty");
	if (text.startsWith("{")) return readJson(text, now);
	if (/aws_(access_key_id|secret_access_key|session_token|bearer_token_bedrock)/i.test(text))
		reject("must be the values alone, not lines of an environment or credentials file");
	if (/^["'`[]/.test(text)) reject("must have neither quotes nor brackets around it");
	if (/^https?:/i.test(text)) reject("must be a credential; this is a URL");
	if (/^bearer\s/i.test(text)) reject("must be the key alone, without `Bearer`");
	return text.includes(":") ? readParts(text) : { secret: readBearer(text) };
}

function readParts(text: string): CredentialText {
	const parts = text.split(":").map((part) => part.trim());
	if (parts.length > 4)
		reject("must have four parts with colons between them at the most; JSON takes a token with colons");
	const [access = "", secret = "", region = "", session = ""] = parts;
	if (region !== "" && !isRegion(region))
		reject("must have a region as its third part, or nothing: `ACCESS:SECRET::SESSION_TOKEN`");
	const keys = readKeys({ access, secret, session }, PART_NAMES);
	return region === "" ? { secret: keys } : { secret: keys, region };
}

function readJson(text: string, now: number): CredentialText {
	const { Expiration, region, ...fields } = readJsonFields(text);
	checkExpiration(Expiration, now);
	const { access_key_id: access = "", secret_access_key: secret = "", session_token: session = "" } = fields;
	const keys = readKeys({ access, secret, session }, JSON_NAMES);
	if (region && !isRegion(region)) reject("must have a region of AWS as its `region`, or none");
	return { secret: keys, ...(region && { region }) };
}

const isRegion = (text: string): boolean => /^[a-z]{2,4}(-[a-z]{2,12}){1,2}-\d{1,2}$/.test(text);

function checkExpiration(expiration: string | undefined, now: number): void {
	if (expiration === undefined) return;
	const time = Date.parse(expiration);
	if (Number.isNaN(time)) reject("must have a date of ISO 8601 as its `Expiration`, or none");
	if (time <= now)
		throwOptionError("credential", "has expired: its `Expiration` is in the past", {
			code: "expired_credential",
			hint: "Get new temporary keys, and replace the old ones.",
		});
}

function readKeys({ access, secret, session }: Keys, names: Keys): BedrockSecret {
	if (access === "") reject(`must have an access key id: \`${names.access}\` is missing or empty`);
	if (secret === "") reject(`must have a secret access key: \`${names.secret}\` is missing or empty`);
	if (!/^[\w.-]+$/.test(access))
		reject(`must have an access key id as its \`${names.access}\`: letters and digits only`);
	if (!isPrintable(secret)) reject(`must have a \`${names.secret}\` of ASCII characters without blanks`);
	if (!isPrintable(session) && session !== "")
		reject(`must have a \`${names.session}\` of ASCII characters without blanks`);
	// AWS names temporary keys so; without their token they open nothing.
	if (/^ASIA[A-Z\d]{16}$/.test(access) && session === "")
		reject(`must have a \`${names.session}\`: its keys are temporary ones`);
	const keys = { accessKeyId: access, secretAccessKey: secret };
	return session === "" ? keys : { ...keys, sessionToken: session };
}

function readBearer(text: string): BedrockSecret {
	if (/^A[KS]IA[A-Z\d]{16}$/.test(text)) reject("must have a secret after the access key id");
	if (!isPrintable(text)) reject("must be a Bedrock API key of ASCII characters without blanks");
	return { apiKey: text };
}

const isPrintable = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
