import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * What a page loads before a program begins, in bytes: bundled, minified and compressed. Parts that are loaded when they
 * are needed do not count; React is there already.
 *
 * @param from - the folder that packages are looked for in, by their names.
 */
export async function measureGzip(program: string, from: string): Promise<number> {
	const { outputFiles, metafile } = await build({
		stdin: { contents: program, resolveDir: from, sourcefile: "program.js" },
		absWorkingDir: root,
		outdir: "out",
		bundle: true,
		minify: true,
		splitting: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		external: ["react"],
		metafile: true,
		write: false,
		legalComments: "none",
		logLevel: "error",
		// Not the sources, which is where the paths of the workspace lead.
		tsconfigRaw: {},
	});
	const loaded = findLoaded(metafile);
	return outputFiles
		.filter(({ path }) => loaded.has(path.slice(root.length)))
		.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

/** The program's own output and all that it imports at its start. */
function findLoaded({ outputs }: Metafile): ReadonlySet<string> {
	const loaded = new Set(
		Object.keys(outputs).filter((name) => outputs[name]?.entryPoint?.endsWith("program.js")),
	);
	for (const name of loaded)
		for (const { path, kind } of outputs[name]?.imports ?? [])
			if (kind === "import-statement" && path in outputs) loaded.add(path);
	return loaded;
}
