import { ConfigurationError } from "@stemma/core";

/** Error of a run that is read from a log, and not made: nothing more is stored. */
export const endOfJournal = (): ConfigurationError =>
	new ConfigurationError("The run was over before the next step was stored.", { code: "end_of_journal" });
