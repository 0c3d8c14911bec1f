import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { parseJson } from "../agent-file/parse-json";
import { isServiceAlive, serviceFile } from "./service-file";

/** Data folder of a service, as far as it shows how to reach the service. */
export interface DataFolder {
	readonly path: string;
	/** Made at its first start. */
	readonly credentials?: Credentials;
	/** Address at which the service listens while it runs. */
	readonly url?: string;
	/**
	 * Address of a service that ended without removing its file: the secret must not go to the process that listens
	 * there now.
	 */
	readonly staleUrl?: string;
}

export interface Credentials {
	readonly clientId: string;
	readonly clientSecret: string;
}

export const CREDENTIALS_FILE = "first-credentials.json";

/** @throws ConfigurationError when there is no such folder, or a file in it is not what it should be. */
export async function readDataFolder(path: string): Promise<DataFolder> {
	if (!(await isFolder(path)))
		throw new ConfigurationError(`The data folder "${path}" does not exist.`, {
			hint: "Give the folder that the service was started with: stemma serve --data <folder>",
		});
	const credentials = await readJson(join(path, CREDENTIALS_FILE));
	const service = await readJson(serviceFile(path));
	const { client_id: clientId, client_secret: clientSecret } = credentials;
	return {
		path,
		...(typeof clientId === "string" && typeof clientSecret === "string"
			? { credentials: { clientId, clientSecret } }
			: {}),
		...toAddress(service),
	};
}

const toAddress = ({
	url,
	pid,
}: {
	readonly [key: string]: unknown;
}): Pick<DataFolder, "url" | "staleUrl"> => {
	if (typeof url !== "string") return {};
	return isServiceAlive(pid) ? { url } : { staleUrl: url };
};

export const isFolder = (path: string): Promise<boolean> =>
	stat(path).then(
		(status) => status.isDirectory(),
		() => false,
	);

/** Empty where there is no such file, or it holds no object. */
async function readJson(file: string): Promise<{ readonly [key: string]: unknown }> {
	const text = await readFile(file, "utf8").catch((cause: unknown) => {
		if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return "{}";
		throw new ConfigurationError(`${file} cannot be read.`, { hint: "Check its permissions.", cause });
	});
	const content = parseJson(text, file);
	return isJsonObject(content) ? content : {};
}
