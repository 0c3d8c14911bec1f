import { makeDataFiles } from "./odd-files/data-files";
import { makeMailFiles } from "./odd-files/mail-files";
import type { OddFile } from "./odd-files/odd-file";
import { makeOfficeFiles } from "./odd-files/office-files";
import { makePdfFiles } from "./odd-files/pdf-files";
import { makeRtfFiles } from "./odd-files/rtf-files";
import { makeTextFiles } from "./odd-files/text-files";

export type { OddFile } from "./odd-files/odd-file";

/** Files of every format, at least 25 of each, with what is odd about them in their names, and with what has to come of them. */
export const makeOddFiles = async (): Promise<readonly OddFile[]> => [
	...makeTextFiles(),
	...makeDataFiles(),
	...makeMailFiles(),
	...makeOfficeFiles(),
	...makeRtfFiles(),
	...(await makePdfFiles()),
];
