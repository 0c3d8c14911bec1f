import { readFile } from "node:fs/promises";
import { parseYaml } from "./parse-yaml.ts";

/** What the tests look at of a service in `compose.yaml`. */
export interface ComposeService {
	readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
	readonly image?: string;
	readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
	readonly volumes?: readonly string[];
	readonly secrets?: readonly { readonly source: string; readonly target: string }[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly ports?: readonly string[];
	readonly command?: readonly string[];
	readonly healthcheck?: { readonly test: readonly string[] };
	readonly [key: string]: unknown;
}

export interface ComposeFile {
	readonly services: Readonly<Record<string, ComposeService>>;
	readonly secrets: Readonly<Record<string, { readonly file: string }>>;
	readonly volumes: Readonly<Record<string, null>>;
}

/** Compose file for one machine. */
export const composeFile = new URL("../../deploy/compose.yaml", import.meta.url);
/** Compose file for the internet. */
export const productionFile = new URL("../../deploy/production/compose.yaml", import.meta.url);

/** Compose file for several instances. */
export const scaledFile = new URL("../../deploy/scaled/compose.yaml", import.meta.url);

/** As `docker compose` reads it where no variable is set. */
export async function readCompose(file = composeFile): Promise<ComposeFile> {
	const text = (await readFile(file, "utf8")).replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1");
	return parseYaml(text) as ComposeFile;
}
