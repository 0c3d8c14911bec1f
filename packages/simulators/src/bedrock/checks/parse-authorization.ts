import { rejectUnauthorized } from "../rejection.ts";

/** `AWS4-HMAC-SHA256 Credential=<id>/<date>/<region>/<service>/<terminator>, SignedHeaders=<a;b>, Signature=<hex>` */
export interface SignatureHeader {
	readonly accessKeyId: string;
	readonly scope: {
		readonly date: string;
		readonly region: string;
		readonly service: string;
		readonly terminator: string;
	};
	readonly signedHeaders: readonly string[];
	readonly signature: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

export function parseAuthorization(header: string): SignatureHeader {
	const [algorithm, ...rest] = header.split(" ");
	if (algorithm !== ALGORITHM)
		rejectUnauthorized(403, "IncompleteSignatureException", `Unsupported AWS 'algorithm': '${algorithm}'.`);
	const parts = new Map(rest.join(" ").split(/,\s*/).map(parsePart));
	const [credential = "", signedHeaders = "", signature = ""] = [
		"Credential",
		"SignedHeaders",
		"Signature",
	].map((name) => getPart(parts, name));
	const [accessKeyId = "", date = "", region = "", service = "", terminator = "", ...more] =
		credential.split("/");
	if (terminator === "" || more.length > 0)
		rejectUnauthorized(
			403,
			"IncompleteSignatureException",
			"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term.",
		);
	return {
		accessKeyId,
		scope: { date, region, service, terminator },
		signedHeaders: signedHeaders.split(";"),
		signature,
	};
}

function parsePart(part: string): [string, string] {
	const at = part.indexOf("=");
	if (at < 0)
		rejectUnauthorized(
			403,
			"IncompleteSignatureException",
			"Authorization header contains a part that is not a valid key=value pair (missing equal-sign).",
		);
	return [part.slice(0, at), part.slice(at + 1)];
}

function getPart(parts: ReadonlyMap<string, string>, name: string): string {
	return (
		parts.get(name) ||
		rejectUnauthorized(
			403,
			"IncompleteSignatureException",
			`Authorization header requires '${name}' parameter.`,
		)
	);
}
