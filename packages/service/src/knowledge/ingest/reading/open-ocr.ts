import { ConfigurationError } from "@stemma/core/errors";
import { findOcrFiles, type OcrFiles } from "@stemma/documents";

/**
 * Text recognition from the packages that are installed beside the service; undefined where there are none.
 *
 * @param languages - Default: all that are installed.
 * @throws ConfigurationError where a language is named that is not installed.
 */
export function openOcr(languages?: readonly string[]): OcrFiles | undefined {
	const { files, missing } = findOcrFiles({ from: import.meta.url, languages });
	if (languages === undefined || languages.length === 0 || missing.length === 0) return files;
	throw new ConfigurationError(
		`"ocr.languages" needs packages that are not installed: ${missing.join(", ")}.`,
		{
			hint: `Install them beside the service: npm install ${missing.join(" ")}`,
		},
	);
}
