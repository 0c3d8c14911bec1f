import { join } from "node:path";
import { PUBLISHED, readManifest } from "../packed/published.ts";
import { root } from "../sources/list-files.ts";

/** Entry of a published package: what users, or its sibling packages, import. */
export interface PackageEntry {
	/** Folder of the package. */
	readonly folder: string;
	/** `index` for the package itself, else the subpath with hyphens in place of slashes. */
	readonly name: string;
	/** Built declarations. */
	readonly types: string;
	/** For sibling packages of the same version alone, outside of semantic versioning. */
	readonly isInternal: boolean;
}

/** Conditions of `exports`, as far as they lead to declarations. */
interface Conditions {
	readonly types?: string;
	readonly import?: Conditions;
}

type Exports = Readonly<Record<string, Conditions | string>>;

/** Lists all entries of all published packages. @throws Error where an entry has no declarations. */
export const listEntries = (): readonly PackageEntry[] =>
	PUBLISHED.flatMap((folder) =>
		toEntries(join(root, "packages", folder), readManifest(folder).exports as Exports),
	);

/**
 * Entries of one package.
 *
 * @param folder - of the package.
 * @throws Error where an entry has no declarations.
 */
export function toEntries(folder: string, exports: Exports): readonly PackageEntry[] {
	const paths = Object.entries(exports).filter(([path]) => !/\.(?:json|css)$/.test(path));
	return paths.map(([path, target]) => {
		const types = typeof target === "string" ? undefined : (target.import?.types ?? target.types);
		if (types === undefined) throw new Error(`${path} of ${folder} has no declarations.`);
		const name = path === "." ? "index" : path.slice("./".length).replaceAll("/", "-");
		return { folder, name, types: join(folder, types), isInternal: /^\.\/internal\b/.test(path) };
	});
}

/** File of the report of an entry. */
export const toReportFile = ({ folder, name }: PackageEntry): string => join(folder, "api", `${name}.api.md`);
