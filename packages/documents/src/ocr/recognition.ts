import type { OcrFiles } from "./ocr-files";

/** Text recognition for images and scans. */
export interface Recognition {
	/** Text recognition of this reading. Default: none. */
	readonly ocr?: OcrFiles | undefined;
	/** Another reading recognizes what this one leaves to it. Default false. */
	readonly leavesImagesToOcr?: boolean | undefined;
}
