import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { MODULES } from "./models.ts";
import { hasKubectl, type Manifest, OVERLAYS, renderOverlay } from "./render-overlay.ts";

// The validators let unknown fields pass, which Kubernetes may drop without a word: TypeScript finds them in an object literal.

const toSource = ({ kind, ...manifest }: Manifest): string =>
	`import type { I${kind} } from "${MODULES[kind]}";
export const manifest: I${kind} = ${JSON.stringify({ kind, ...manifest })};\n`;

/** Errors of the compiler in a manifest that is written as an object of its type. */
function checkTypes(manifests: readonly Manifest[]): readonly string[] {
	const folder = fileURLToPath(new URL(".", import.meta.url));
	const sources = new Map(manifests.map((manifest, index) => [`${folder}m${index}.ts`, toSource(manifest)]));
	const options: ts.CompilerOptions = {
		strict: true,
		noEmit: true,
		skipLibCheck: true,
		types: [],
		target: ts.ScriptTarget.ES2022,
		module: ts.ModuleKind.NodeNext,
		moduleResolution: ts.ModuleResolutionKind.NodeNext,
	};
	const host = ts.createCompilerHost(options);
	const { fileExists, readFile, getSourceFile } = host;
	host.fileExists = (name) => sources.has(name) || fileExists(name);
	host.readFile = (name) => sources.get(name) ?? readFile(name);
	host.getSourceFile = (name, target, ...rest) => {
		const text = sources.get(name);
		return text === undefined
			? getSourceFile(name, target, ...rest)
			: ts.createSourceFile(name, text, target);
	};
	const program = ts.createProgram([...sources.keys()], options, host);
	return ts
		.getPreEmitDiagnostics(program)
		.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe.skipIf(!hasKubectl)("the objects of all overlays", () => {
	it("have no field that Kubernetes does not know", async () => {
		const manifests = (await Promise.all(OVERLAYS.map(renderOverlay))).flat();
		const deployment = manifests.find(({ kind }) => kind === "Deployment");
		expect(checkTypes(manifests)).toEqual([]);
		const wrong = { ...deployment, spec: { ...deployment?.spec, replica: 2 } } as Manifest;
		expect(checkTypes([wrong]).join()).toContain("'\"replica\"' does not exist");
	});
});
