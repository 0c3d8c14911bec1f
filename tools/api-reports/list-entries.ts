import { join } from "node:path";
import { PUBLISHED, readManifest } from "../packed/published.ts";
import { root } from "../sources/list-files.ts";

/** Entry of a published package: what users import. */
export interface PackageEntry {
	/** Folder of the package. */
	readonly folder: string;
	/** `index` for the package itself, else the name of the subpath. */
	readonly name: string;
	/** Built declarations. */
	readonly types: string;
}

/** Conditions of `exports`, as far as they lead to declarations. */
interface Conditions {
	readonly types?: string;
	readonly import?: Conditions;
}

/** Lists what users import, but for what is outside of semantic versioning. */
export const listEntries = (): readonly PackageEntry[] =>
	PUBLISHED.flatMap((folder) => {
		const { exports } = readManifest(folder);
		return Object.entries(exports as { readonly [path: string]: Conditions | string }).flatMap(
			([path, target]) => {
				if (typeof target === "string" || /^\.\/internal\b/.test(path)) return [];
				const types = target.import?.types ?? target.types;
				if (types === undefined) return [];
				const name = path === "." ? "index" : path.slice("./".length);
				const packageFolder = join(root, "packages", folder);
				return [{ folder: packageFolder, name, types: join(packageFolder, types) }];
			},
		);
	});
