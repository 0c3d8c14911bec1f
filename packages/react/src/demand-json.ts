import { ConfigurationError } from "@stemma/client";

/**
 * What a function of a hook was given, for a request.
 *
 * @throws ConfigurationError for what JSON cannot hold: nothing at all, a BigInt, a circle.
 */
export function demandJson<Given>(name: string, given: Given): Given {
	try {
		if (JSON.stringify(given)?.startsWith("{")) return given;
	} catch (cause) {
		throw new ConfigurationError(`\`${name}\` was given what JSON cannot hold: ${cause}`, { cause });
	}
	throw new ConfigurationError(`\`${name}\` needs a request: an object.`);
}
