// Copies what was built of the pages that the service serves into its build: node scripts/copy-pages.mjs, in the image.
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = new URL("../packages/", import.meta.url);

/** Packages of pages, and the folders that they have in the build of the service. */
export const PAGES = { web: "web-app", "api-reference": "api-reference" };

export function copyPages() {
	for (const [name, folder] of Object.entries(PAGES)) {
		const target = new URL(`service/dist/${folder}/`, packages);
		rmSync(target, { recursive: true, force: true });
		cpSync(new URL(`${name}/dist/`, packages), target, { recursive: true });
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) copyPages();
