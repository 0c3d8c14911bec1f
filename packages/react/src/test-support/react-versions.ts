import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export type ReactVersion = "18" | "19";

/** One React, with the hooks built over it. */
export interface ReactBundle {
	readonly react: typeof import("react");
	readonly client: typeof import("react-dom/client");
	readonly server: typeof import("react-dom/server");
	readonly hooks: typeof import("../index");
	readonly chat: typeof import("../chat");
}

const sources = fileURLToPath(new URL("..", import.meta.url));

const ENTRY = `
export * as react from "react";
export * as client from "react-dom/client";
export * as server from "react-dom/server";
export * as hooks from "./index";
export * as chat from "./chat";
`;

/** Both are installed side by side; a bundle is where all of it means the same one by `react`. */
export async function loadReact(version: ReactVersion): Promise<ReactBundle> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-react-"));
	const outfile = join(folder, "bundle.cjs");
	await build({
		stdin: { contents: ENTRY, resolveDir: sources },
		absWorkingDir: sources,
		outfile,
		bundle: true,
		platform: "node",
		format: "cjs",
		sourcemap: "inline",
		logLevel: "error",
		alias: {
			"@stemma/react": "./index.ts",
			...(version === "18" && { react: "react-18", "react-dom": "react-dom-18" }),
		},
	});
	try {
		return createRequire(sources)(outfile);
	} finally {
		await rm(folder, { recursive: true });
	}
}
