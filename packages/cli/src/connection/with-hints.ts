import { ApiError } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";

/**
 * Runs work with a service, and replaces the hints of its errors.
 *
 * @param hints - what to do on a command line, by code of the error: the service's own hints are about requests and
 * fields.
 * @throws what the work throws, with that hint where there is one.
 */
export async function withHints<Result>(
	hints: Readonly<Record<string, string>>,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		const hint = ApiError.is(error) ? hints[error.code] : undefined;
		if (!ApiError.is(error) || hint === undefined) throw error;
		throw new ConfigurationError(error.message, { code: error.code, hint, cause: error });
	}
}
