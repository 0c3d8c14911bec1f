import { posix } from "node:path";

/** Group of pages in the sidebar. */
export interface Section {
	readonly title: string;
	/** Markdown files of the repository, in their order. */
	readonly files: readonly string[];
}

/** File of the index, which is the landing page. */
export const INDEX = "docs/README.md";

const guides = (...names: readonly string[]): readonly string[] => names.map((name) => `docs/${name}.md`);

const packages = (...names: readonly string[]): readonly string[] =>
	names.map((name) => `packages/${name}/README.md`);

/** All pages of the site but the index. */
export const SECTIONS: readonly Section[] = [
	{ title: "Start", files: ["README.md", ...guides("projects", "web-app", "glossary")] },
	{
		title: "Answers from documents",
		files: guides("documents", "sources", "answers", "retrieval"),
	},
	{
		title: "Agents",
		files: guides("agent-graph", "agent-graph-tour", "mcp", "a2a"),
	},
	{ title: "In your program", files: guides("client", "front-ends", "http-api") },
	{
		title: "Models and money",
		files: guides("routing", "model-providers"),
	},
	{
		title: "Run it",
		files: guides(
			"self-hosting",
			"postgres",
			"scaling",
			"runtime",
			"people",
			"operations",
			"security",
			"troubleshooting",
		),
	},
	{
		title: "Packages",
		files: packages(
			...["client", "react", "cli", "create-stemma", "local", "runtime", "service"],
			...["core", "engine", "routing", "a2a-server", "dbos"],
		),
	},
	{
		title: "The project",
		files: [
			...guides("support", "migration", "benchmarks", "figures", "mission"),
			...["ARCHITECTURE.md", "CONTRIBUTING.md", "DEPENDENCIES.md", "SECURITY.md", "CODE_OF_CONDUCT.md"],
		],
	},
];

/** Markdown files of the repository that are pages of the site. */
export const PAGE_FILES: readonly string[] = [INDEX, ...SECTIONS.flatMap(({ files }) => files)];

/** Paths that are not the names of their files. */
const OWN_PATHS: Readonly<Record<string, string>> = {
	[INDEX]: "index",
	"README.md": "start",
	"SECURITY.md": "security-policy",
};

/** Path of a page in the site, without its ending: `client` for `docs/client.md`. */
export function toPagePath(file: string): string {
	const own = OWN_PATHS[file];
	if (own !== undefined) return own;
	const folder = posix.dirname(file);
	if (folder.startsWith("packages/")) return folder;
	const name = posix.basename(file, ".md");
	return folder === "docs" ? name : name.toLowerCase().replaceAll("_", "-");
}
