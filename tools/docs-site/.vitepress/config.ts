import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import { REPOSITORY, toAnchor } from "../../packed/readme-links";
import { LANDING_PAGE } from "../landing-page";
import { toSiteLink } from "../site-links";
import { INDEX, PAGE_FILES, SECTIONS, toPagePath } from "../site-pages";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const version = process.env.STEMMA_SITE_VERSION;
const ref = version === undefined ? "main" : `v${version}`;
const base = process.env.STEMMA_SITE_BASE ?? "/";

const readTitle = (file: string): string =>
	/^# (.+)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? file;

const toTitle = (file: string): string =>
	file === "README.md" ? "Overview and quick starts" : readTitle(file);

const OUTSIDE: Readonly<Record<string, readonly DefaultTheme.SidebarItem[]>> = {
	// Pages that others made: no part of the app of this site.
	"In your program": [{ text: "API reference", link: "/http/index.html", target: "_self" }],
	Packages: [{ text: "Types and functions", link: "/api/index.html", target: "_self" }],
};

const sidebar = SECTIONS.map(({ title, files }) => ({
	text: title,
	items: [
		...files.map((file) => ({ text: toTitle(file), link: `/${toPagePath(file)}` })),
		...(OUTSIDE[title] ?? []),
	],
}));

/** Plugin that leaves Vue to Node where pages are rendered: they are outside of the folder that it is installed in. */
const externalVue = {
	name: "external Vue",
	enforce: "pre" as const,
	apply: (_: unknown, { isSsrBuild }: { isSsrBuild?: boolean }) => isSsrBuild === true,
	resolveId: (id: string) => (/^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : null),
};

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default defineConfig({
	lang: "en",
	title: "Stemma",
	description: "Answers from your own documents, with agents whose permissions are all written down.",
	base,
	srcDir: "../..",
	srcExclude: [
		...[".*/**", "deploy/**", "examples/**", "scripts/**", "tools/**", "packages/*/*/**", "**/CHANGELOG.md"],
		...["packages/documents/**", "packages/simulators/**"],
	],
	vite: { plugins: [externalVue] },
	cacheDir: join(root, ".stemma/site-cache"),
	ignoreDeadLinks: "localhostLinks",
	rewrites: Object.fromEntries(PAGE_FILES.map((file) => [file, `${toPagePath(file)}.md`])),
	head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
	markdown: {
		theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
		anchor: { slugify: toAnchor },
		config(markdown) {
			markdown.core.ruler.after("inline", "links and code", ({ tokens, env }) => {
				// The index of the search has no rewritten paths.
				const file = (env.realPath ?? env.path).slice(root.length);
				for (const token of tokens.flatMap(({ children }) => children ?? [])) {
					const href = token.type === "link_open" ? token.attrGet("href") : null;
					if (href !== null) token.attrSet("href", toSiteLink(href, file, { root, ref }));
					// Else Vue would fill `{{context.path}}` in.
					if (token.type === "code_inline") token.attrSet("v-pre", "");
				}
			});
			// A header without words is none.
			markdown.core.ruler.push("empty headers", ({ tokens }) => {
				for (const [place, token] of tokens.entries()) {
					if (token.type !== "th_open" || tokens[place + 1]?.content !== "") continue;
					for (const cell of [token, tokens[place + 2]]) if (cell !== undefined) cell.tag = "td";
				}
			});
		},
	},
	transformPageData(page) {
		if (page.filePath !== INDEX) return;
		return { title: "Stemma", titleTemplate: "Answers from your own documents", frontmatter: LANDING_PAGE };
	},
	themeConfig: {
		logo: "/icon.svg",
		sidebar,
		nav: [
			{ text: "Quick start", link: "/start" },
			{ text: "Guides", link: "/agent-graph" },
			{ text: "API", link: "/http/index.html", target: "_self" },
		],
		search: { provider: "local" },
		outline: [2, 3],
		socialLinks: [{ icon: "github", link: REPOSITORY }],
		editLink: { pattern: `${REPOSITORY}/edit/main/:path` },
		footer: { message: "MIT licence" },
	},
});
