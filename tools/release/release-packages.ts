import { type PackageManifest, PUBLISHED, readManifest } from "../packed/published.ts";

/** A package as a release publishes it. */
export interface ReleasePackage {
	/** Its folder in `packages/`. */
	readonly folder: string;
	readonly manifest: PackageManifest;
}

/** Lists the packages that are published, each after those that it depends on. */
export const listReleasePackages = (): readonly ReleasePackage[] =>
	sortByDependencies(PUBLISHED.map((folder) => ({ folder, manifest: readManifest(folder) })));

/** Sorts packages so that npm never has one whose dependencies it lacks; otherwise the order stays. */
export function sortByDependencies(packages: readonly ReleasePackage[]): readonly ReleasePackage[] {
	const sorted = new Set<ReleasePackage>();
	const add = (one: ReleasePackage): void => {
		const dependencies = Object.keys(one.manifest.dependencies ?? {});
		for (const other of packages)
			if (dependencies.includes(other.manifest.name) && !sorted.has(other)) add(other);
		sorted.add(one);
	};
	for (const one of packages) add(one);
	return [...sorted];
}

/** Name of the tarball of a package: `stemma-client-0.1.0.tgz`. */
export const toTarballName = ({ name, version }: PackageManifest): string =>
	`${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
