import type { S3SourceSettings } from "@stemma/client";
import { SourceError } from "../../source-error";

/** Bucket by its address. */
export interface Bucket {
	/** Address of the store: what a secret is bound to. */
	readonly endpoint: URL;
	/** Address of the bucket, which ends with `/`. */
	readonly url: string;
	readonly region: string;
}

const DEFAULT_REGION = "us-east-1";

/** @throws SourceError `invalid_bucket`, `invalid_region` */
export function resolveBucket({
	bucket,
	region = DEFAULT_REGION,
	endpoint,
	virtual_host,
}: S3SourceSettings): Bucket {
	if (!/^[a-z\d][\w.-]{1,254}$/iu.test(bucket))
		throw new SourceError("The source names no valid bucket.", {
			code: "invalid_bucket",
			hint: "Set `bucket` to the name alone, such as acme-docs. The folder of the documents belongs in `prefix`.",
		});
	if (!/^[a-z\d-]{1,40}$/u.test(region))
		throw new SourceError("The source names no valid region.", {
			code: "invalid_region",
			hint: "Write `region` as in eu-central-1.",
		});
	const store = new URL(
		endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`,
	);
	// A certificate for all buckets holds for one label before the name.
	const isInHost = endpoint === undefined ? !bucket.includes(".") : virtual_host === true;
	const base = store.pathname.replace(/\/+$/u, "");
	const url = isInHost
		? `${store.protocol}//${bucket}.${store.host}${base}/`
		: `${store.origin}${base}/${bucket}/`;
	return { endpoint: store, url, region };
}

/** Address of an object; `undefined` for a key that no address can hold: those with `.` or `..` between slashes. */
export function toObjectUrl({ url }: Bucket, key: string): string | undefined {
	const parts = key.split("/");
	if (parts.some((part) => part === "." || part === "..")) return undefined;
	return `${url}${parts.map(encodePart).join("/")}`;
}

/** Encodes all but the characters that RFC 3986 leaves as they are, as signatures require it. */
const encodePart = (text: string): string =>
	encodeURIComponent(text.toWellFormed()).replace(
		/[!'()*]/gu,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);

/** Address of one page of the bucket's objects. */
export function toListUrl({ url }: Bucket, prefix: string, token: string | undefined): string {
	const query = {
		...(token === undefined ? {} : { "continuation-token": token }),
		"encoding-type": "url",
		"list-type": "2",
		...(prefix === "" ? {} : { prefix }),
	};
	return `${url}?${Object.entries(query)
		.map(([name, value]) => `${name}=${encodePart(value)}`)
		.join("&")}`;
}
