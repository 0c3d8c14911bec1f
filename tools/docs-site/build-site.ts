import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../sources/list-files.ts";

/** Options of {@link buildSite}. */
export interface SiteOptions {
	/** Folder that the site is written to, and that is emptied before. */
	readonly out: string;
	/** Path of the site on its host, with slashes at both ends. Its last part is the version, where the host has several. */
	readonly base: string;
	/** Version whose tag links to files of the repository name. Default: the branch `main`. */
	readonly version?: string | undefined;
}

const fromRoot = (path: string): string => join(root, path);

/**
 * Builds the docs site: guides and READMEs, the pages about types and functions, and the API reference.
 *
 * Needs what `npm run build` has built, and the pages of typedoc in `.stemma/api`.
 */
export async function buildSite({ out, base, version }: SiteOptions): Promise<void> {
	const vitepress = fromRoot("tools/docs-site/node_modules/vitepress/bin/vitepress.js");
	await promisify(execFile)(
		process.execPath,
		[vitepress, "build", fromRoot("tools/docs-site"), "--outDir", out],
		{
			cwd: fromRoot("tools/docs-site"),
			env: {
				...process.env,
				STEMMA_SITE_BASE: base,
				...(version !== undefined && { STEMMA_SITE_VERSION: version }),
			},
		},
	);
	await cp(fromRoot("packages/web/src/shell/icon.svg"), join(out, "icon.svg"));
	// The guides as Markdown, which `llms.txt` lists for language models.
	await cp(fromRoot("packages/cli/dist/docs"), out, { recursive: true });
	await cp(fromRoot(".stemma/api"), join(out, "api"), { recursive: true });
	await copyApiReference(join(out, "http"));
}

/** Copies the page that the service has at `/docs`, and gives it the document of the runtime, too. */
async function copyApiReference(folder: string): Promise<void> {
	const built = fromRoot("packages/api-reference/dist");
	await mkdir(folder, { recursive: true });
	const isCompressed = (path: string): boolean => /\.(?:br|gz)$/.test(path);
	await cp(join(built, "assets"), join(folder, "assets"), {
		recursive: true,
		filter: (path) => !isCompressed(path),
	});
	await cp(join(built, "licenses.md"), join(folder, "licenses.md"));
	for (const name of ["openapi.json", "openapi-runtime.json"])
		await cp(fromRoot(`docs/${name}`), join(folder, name));
	const page = await readFile(join(built, "index.html"), "utf8");
	await writeFile(join(folder, "index.html"), toSitePage(page));
}

/** The page of the service, with its files beside it and both documents. */
function toSitePage(page: string): string {
	const [description] = /<link rel="service-desc"[^>]*>/.exec(page) ?? [];
	if (description === undefined) throw new Error("The API reference names its document in another way now.");
	const runtime = description.replace("openapi.json", "openapi-runtime.json").replace("Service", "Runtime");
	return page.replaceAll('"docs/assets/', '"assets/').replace(description, `${description}\n\t\t${runtime}`);
}
