import type { ChatSettings } from "@stemma/core";
import { SETTING_FIELDS } from "@stemma/core/internal";
import type { Fields } from "../http/lenient-json";
import { listSettings, type SettingName } from "../http/unsupported-setting";

/** The settings as fields of a request. Endpoints refuse `parallel_tool_calls` where there are no tools to call. */
export const toSettingFields = (settings: ChatSettings = {}, hasTools: boolean): Fields =>
	Object.fromEntries(
		listSettings(settings)
			.filter((name) => hasTools || name !== "parallelToolCalls")
			.map((name) => [SETTING_FIELDS[name], settings[name]]),
	);

/** The setting of a request that a field stands for; undefined where the field is none of them. */
export const findSetting = (field: string, settings: ChatSettings | undefined): SettingName | undefined =>
	listSettings(settings).find((name) => SETTING_FIELDS[name] === field);
