import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readManifest } from "../packed/published";
import { withSiblingVersions } from "./raise-versions";
import { listReleasePackages, sortByDependencies, toTarballName } from "./release-packages";

const toPackage = (name: string, ...dependencies: string[]) => ({
	folder: name,
	manifest: {
		...{ name, version: "1.2.3" },
		dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, "workspace:*"])),
	},
});

it("publishes a package after those that it depends on, and else in the order of the folders", () => {
	const packages = [toPackage("a", "c"), toPackage("b", "x"), toPackage("c", "d"), toPackage("d")];
	expect(sortByDependencies(packages).map(({ folder }) => folder)).toEqual(["d", "c", "a", "b"]);
	const names = listReleasePackages().map(({ manifest }) => manifest.name);
	expect(names.indexOf("@stemma/core")).toBeLessThan(names.indexOf("@stemma/client"));
	expect(names.indexOf("@stemma/service")).toBeLessThan(names.indexOf("stemma"));
});

it("names tarballs as npm does", () => {
	expect(toTarballName({ name: "@stemma/a2a-server", version: "0.1.0" })).toBe("stemma-a2a-server-0.1.0.tgz");
	expect(toTarballName({ name: "stemma", version: "0.1.0" })).toBe("stemma-0.1.0.tgz");
});

it("keeps the example outside of the workspace on the version of the packages", () => {
	const path = new URL("../../examples/react-native-app/package.json", import.meta.url);
	const manifest = readFileSync(path, "utf8");
	expect(withSiblingVersions(manifest, readManifest("client").version)).toBe(manifest);
	expect(withSiblingVersions('{ "@stemma/core": "0.0.0", "react": "19.3.0" }', "0.1.0")).toBe(
		'{ "@stemma/core": "0.1.0", "react": "19.3.0" }',
	);
});
