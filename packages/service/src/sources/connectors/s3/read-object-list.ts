import { readXml } from "../read-xml";

/** Object as a list of its bucket shows it. */
export interface ListedObject {
	readonly key: string;
	/** Entity tag, which changes with the content; `null` where the store gives none. */
	readonly etag: string | null;
	readonly size: number;
	readonly storageClass: string;
}

/** One page of a bucket's objects. */
export interface ObjectList {
	readonly objects: readonly ListedObject[];
	/** Token of the next page; `undefined` after the last. */
	readonly next: string | undefined;
}

/** Reads what `ListObjectsV2` responds. @throws where it is not that. */
export async function readObjectList(bytes: Uint8Array): Promise<ObjectList> {
	const objects: ListedObject[] = [];
	const page = new Map<string, string>();
	let object: Map<string, string> | undefined;
	const path: string[] = [];
	let text = "";
	await readXml(bytes, {
		open({ name }) {
			path.push(name);
			text = "";
			if (path.length === 2 && name === "Contents") object = new Map();
		},
		text(part) {
			text += part;
		},
		close(name) {
			if (path.length === 2 && object !== undefined && name === "Contents") {
				objects.push(toObject(object));
				object = undefined;
			} else if (path.length === 3) object?.set(name, text);
			else if (path.length === 2) page.set(name, text);
			else if (name !== "ListBucketResult" && path.length === 1) throw new Error(`It is <${name}>.`);
			path.pop();
			text = "";
		},
	});
	const isEncoded = page.get("EncodingType") === "url";
	const isTruncated = page.get("IsTruncated")?.trim() === "true";
	return {
		objects: isEncoded ? objects.map((each) => ({ ...each, key: decodeKey(each.key) })) : objects,
		next: isTruncated ? page.get("NextContinuationToken") : undefined,
	};
}

const toObject = (fields: ReadonlyMap<string, string>): ListedObject => ({
	key: fields.get("Key") ?? "",
	etag: fields.get("ETag") ?? null,
	size: Number(fields.get("Size") ?? 0),
	storageClass: fields.get("StorageClass") ?? "STANDARD",
});

/** Keys are encoded as in forms: a space is a plus sign. */
function decodeKey(text: string): string {
	try {
		return decodeURIComponent(text.replaceAll("+", "%20"));
	} catch {
		return text;
	}
}

/** Elements of an error document, by their names; none where it is not one. */
export async function readErrorDocument(bytes: Uint8Array): Promise<ReadonlyMap<string, string>> {
	const fields = new Map<string, string>();
	let text = "";
	try {
		await readXml(bytes, {
			open: () => {
				text = "";
			},
			text: (part) => {
				text += part;
			},
			close: (name) => void fields.set(name, text),
		});
	} catch {
		// A proxy may have written it: the status has to do.
	}
	return fields;
}
