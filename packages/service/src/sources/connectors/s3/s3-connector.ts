import type { S3SourceSettings } from "@stemma/client";
import { SourceError } from "../../source-error";
import type { Connector, ScanContext, SourceItem, SourceResponse } from "../connector";
import { createPathFilter } from "../path-patterns";
import { readBody } from "../read-body";
import { type Bucket, resolveBucket, toListUrl, toObjectUrl } from "./bucket-address";
import { type ListedObject, type ObjectList, readObjectList } from "./read-object-list";
import { parseAccessKey, signRequest } from "./sign-request";
import { readStoreError } from "./store-error";

/** Maximum number of objects that are listed, also of those that are left out. */
export const MAX_LISTED_OBJECTS = 1_000_000;
/** Longest key of S3. */
const MAX_OBJECT_KEY_CHARACTERS = 1_024;
const MAX_LISTING_BYTES = 32 * 1024 * 1024;

/** Connector of buckets in S3, and in what speaks its protocol. An object's version is its entity tag. */
export const s3Connector: Connector<S3SourceSettings> = {
	async *scan(settings, context) {
		const store = await openStore(settings, context);
		const isSelected = createSelection(settings, context);
		let listed = 0;
		for await (const { objects } of listPages(store, settings.prefix ?? "")) {
			listed += objects.length;
			if (listed > MAX_LISTED_OBJECTS) throw tooManyObjectsError();
			for (const object of objects) {
				context.signal.throwIfAborted();
				const item = isSelected(object.key) ? await readObject(object, store, context) : undefined;
				if (item !== undefined) yield item;
			}
		}
	},
};

/** Bucket that requests are sent to. */
interface Store {
	readonly bucket: Bucket;
	get(url: string, maxBytes: number): Promise<SourceResponse>;
}

async function openStore(settings: S3SourceSettings, context: ScanContext): Promise<Store> {
	const bucket = resolveBucket(settings);
	const credential = await context.readCredential(bucket.endpoint.origin);
	const key = credential === undefined ? undefined : parseAccessKey(credential);
	return {
		bucket,
		async get(url, maxBytes) {
			const headers = key === undefined ? {} : await signRequest(url, key, { region: bucket.region });
			// A signature holds for one host: no redirect is followed.
			return context.fetch(url, { headers, maxRedirects: 0, maxBytes });
		},
	};
}

async function* listPages(store: Store, prefix: string): AsyncGenerator<ObjectList> {
	const tokens = new Set<string>();
	let token: string | undefined;
	do {
		const response = await store.get(toListUrl(store.bucket, prefix, token), MAX_LISTING_BYTES + 1);
		if (response.status !== 200) throw await readStoreError(response);
		const bytes = await readBody(response, MAX_LISTING_BYTES);
		const page = bytes && (await readObjectList(bytes).catch(() => undefined));
		if (page === undefined) throw listingError();
		yield page;
		token = page.next;
		if (token !== undefined && tokens.has(token)) throw listingError();
		if (token !== undefined) tokens.add(token);
	} while (token !== undefined);
}

/** Objects whose name is that of a document, and matches the patterns below the last folder of the prefix. */
function createSelection(
	settings: S3SourceSettings,
	{ isDocument }: Pick<ScanContext, "isDocument">,
): (key: string) => boolean {
	const { prefix = "" } = settings;
	const isIncluded = createPathFilter(settings);
	const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
	return (key) =>
		key !== "" &&
		key.length <= MAX_OBJECT_KEY_CHARACTERS &&
		!key.endsWith("/") &&
		isDocument(key) &&
		isIncluded(key.slice(folder.length));
}

async function readObject(
	{ key, etag, size, storageClass }: ListedObject,
	store: Store,
	{ find, limits }: ScanContext,
): Promise<SourceItem | undefined> {
	const { maxItemBytes, maxItemMs } = limits;
	const skip = (code: string, message: string): SourceItem => ({ kind: "skipped", key, code, message });
	if (size > maxItemBytes) return skip("too_large", toTooLarge(maxItemBytes));
	if (storageClass === "GLACIER" || storageClass === "DEEP_ARCHIVE")
		return skip("archived", "The object is archived.");
	if (etag !== null && (await find(key))?.version === etag) return { kind: "unchanged", key };
	const url = toObjectUrl(store.bucket, key);
	if (url === undefined)
		return skip("invalid_key", "No web address can hold a key with `.` or `..` between slashes.");
	try {
		const response = await store.get(url, Number.MAX_SAFE_INTEGER);
		if (response.status !== 200) return await toFailure(key, response);
		const bytes = await readBody(response, maxItemBytes, maxItemMs);
		if (bytes === undefined) return skip("too_large", toTooLarge(maxItemBytes));
		const mediaType = response.headers.get("content-type");
		const fileName = key.split("/").at(-1) ?? key;
		return { kind: "content", key, version: etag, fileName, title: null, url: null, mediaType, bytes };
	} catch (error) {
		if (!SourceError.is(error)) throw error;
		return { kind: "failed", key, code: error.code, message: error.message };
	}
}

/** An object that was deleted since it was listed is gone; another failure keeps its document. */
async function toFailure(key: string, response: SourceResponse): Promise<SourceItem | undefined> {
	const { code, message } = await readStoreError(response);
	return response.status === 404 ? undefined : { kind: "failed", key, code, message };
}

const toTooLarge = (maxBytes: number): string =>
	`The object is larger than ${maxBytes.toLocaleString("en")} bytes, the maximum.`;

const tooManyObjectsError = (): SourceError =>
	new SourceError(
		`The bucket has more than ${MAX_LISTED_OBJECTS.toLocaleString("en")} objects below the prefix.`,
		{
			code: "too_many_objects",
			hint: "Set `prefix` to the folder with the documents.",
		},
	);

const listingError = (): SourceError =>
	new SourceError("The store did not respond with a list of objects.", {
		code: "bad_response",
		hint: "Check `endpoint` and `virtual_host`: the server has to speak the protocol of S3 (ListObjectsV2).",
	});
