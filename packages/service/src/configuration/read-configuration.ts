import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { locateJsonError } from "@stemma/protocol";
import type { Configuration } from "./configuration";
import type { Environment, Setting } from "./environment-settings";
import { resolveConfiguration } from "./resolve-configuration";

/** Options of reading the configuration from its file and the environment. */
export interface ReadConfigurationOptions {
	/** Default: `stemma.config.json` in the working folder, if it is there. */
	readonly file?: string | undefined;
	/** Default: that of this process. */
	readonly environment?: Environment;
	/** Default: that of this process. */
	readonly workingFolder?: string;
	/** Options of a command line; they win over everything. */
	readonly options?: readonly Setting[];
}

const DEFAULT_FILE = "stemma.config.json";

/**
 * Reads the configuration: the file, the environment over it, and options over both. A relative `data` starts from
 * the working folder.
 *
 * @throws ConfigurationError with all that is wrong.
 */
export async function readConfiguration({
	file,
	environment = process.env,
	workingFolder = process.cwd(),
	options = [],
}: ReadConfigurationOptions = {}): Promise<Configuration> {
	const path = resolve(workingFolder, file ?? DEFAULT_FILE);
	const text = await readText(path, file !== undefined);
	return resolveConfiguration({
		file: file ?? DEFAULT_FILE,
		folder: workingFolder,
		environment,
		options,
		...(text !== undefined && { content: parse(text, file ?? DEFAULT_FILE) }),
	});
}

async function readText(path: string, isRequired: boolean): Promise<string | undefined> {
	try {
		return await readFile(path, "utf8");
	} catch (cause) {
		const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
		if (isMissing && !isRequired) return undefined;
		throw new ConfigurationError(`${path}: ${isMissing ? "There is no such file." : "It cannot be read."}`, {
			hint: "Check the path that --config names, and who may read the file.",
			cause,
		});
	}
}

function parse(text: string, file: string): unknown {
	const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
	try {
		return JSON.parse(json);
	} catch {
		throw new ConfigurationError(`${file} is not JSON: ${locateJsonError(json).message}.`);
	}
}
