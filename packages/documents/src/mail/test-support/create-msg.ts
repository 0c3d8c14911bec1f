import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner";

/** Storage of a Compound File: its streams, as UTF-16 where they are texts, and folders. */
export interface Folder {
	readonly [name: string]: string | Uint8Array | Folder;
}

/** Message as Outlook stores it: a Compound File with a stream for each property, by its tag. */
export function createMsg(root: Folder): Uint8Array {
	const entries: Entry[] = [{ name: "Root Entry", type: 5, length: 0, children: [] }];
	const add = (folder: Folder, parent: Entry): void => {
		for (const [name, content] of Object.entries(folder)) {
			parent.children?.push(entries.length);
			const isStream = typeof content === "string" || content instanceof Uint8Array;
			if (!isStream) {
				const entry: Entry = { name, type: 1, length: 0, children: [] };
				entries.push(entry);
				add(content, entry);
				continue;
			}
			const bytes = typeof content === "string" ? Buffer.from(content, "utf16le") : content;
			entries.push({ name, type: 2, length: bytes.length, binaryProvider: () => [...bytes] });
		}
	};
	const [first] = entries;
	if (first !== undefined) add(root, first);
	return new Uint8Array(burn(entries));
}
