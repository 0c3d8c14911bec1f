import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseYamlDocuments } from "../deploy/parse-yaml.ts";

/** A Kubernetes object, as a manifest has it. */
export interface Manifest {
	readonly apiVersion: string;
	readonly kind: string;
	readonly metadata: { readonly name: string; readonly namespace?: string };
	// biome-ignore lint/suspicious/noExplicitAny: each kind has a specification of its own, which the schemas check.
	readonly spec?: any;
	readonly [key: string]: unknown;
}

/** Folders of `deploy/kubernetes/overlays`. */
export const OVERLAYS = ["local", "production", "scaled"] as const;

/** Overlays whose pods keep everything in a Postgres database. */
export const ON_POSTGRES: readonly string[] = ["scaled"];

/** kubectl, whose `kustomize` needs no cluster, is installed. */
export const hasKubectl = ((): boolean => {
	try {
		execFileSync("kubectl", ["kustomize", "--help"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
})();

/** Renders an overlay as `kubectl apply --kustomize` does. */
export async function renderOverlay(name: string): Promise<readonly Manifest[]> {
	const folder = fileURLToPath(new URL(`../../deploy/kubernetes/overlays/${name}`, import.meta.url));
	const { stdout } = await promisify(execFile)("kubectl", ["kustomize", folder]);
	return parseYamlDocuments(stdout) as readonly Manifest[];
}
