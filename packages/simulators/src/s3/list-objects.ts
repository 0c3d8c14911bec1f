import { createHash } from "node:crypto";

/** Object of a bucket. */
export interface SimulatedObject {
	readonly body: string | Uint8Array;
	/** Default: by the name. */
	readonly contentType?: string;
	/** Default `STANDARD`. */
	readonly storageClass?: string;
}

export const tagOf = ({ body }: SimulatedObject): string =>
	`"${createHash("md5").update(body).digest("hex")}"`;

/** One page of a bucket's objects, as `ListObjectsV2` gives it. */
export function listObjects(
	bucket: string,
	objects: Readonly<Record<string, SimulatedObject>>,
	query: URLSearchParams,
	pageSize: number,
): string {
	const prefix = query.get("prefix") ?? "";
	const after = Buffer.from(query.get("continuation-token") ?? "", "base64url").toString();
	const isEncoded = query.get("encoding-type") === "url";
	const names = Object.keys(objects)
		.filter((key) => key.startsWith(prefix) && (after === "" || compare(key, after) > 0))
		.sort(compare);
	const page = names.slice(0, Math.min(pageSize, Number(query.get("max-keys") ?? 1000)));
	const isTruncated = page.length < names.length;
	const write = (text: string): string => (isEncoded ? encodeKey(text) : escapeXml(text));
	const contents = page.map((key) => {
		const object = objects[key] ?? { body: "" };
		return `<Contents><Key>${write(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${escapeXml(tagOf(object))}</ETag><Size>${Buffer.byteLength(object.body)}</Size><StorageClass>${object.storageClass ?? "STANDARD"}</StorageClass></Contents>`;
	});
	const next = isTruncated
		? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64url")}</NextContinuationToken>`
		: "";
	return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${write(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>${isEncoded ? "<EncodingType>url</EncodingType>" : ""}<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
}

/** By bytes of UTF-8, as S3 sorts. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Encoding of forms, but for slashes. */
const encodeKey = (key: string): string =>
	new URLSearchParams([["", key]]).toString().slice(1).replaceAll("%2F", "/");

export const escapeXml = (text: string): string =>
	text.replace(/[&<>"]/gu, (character) => `&#${character.charCodeAt(0)};`);
