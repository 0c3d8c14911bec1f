import { useEffect } from "react";
import { useStoredValue } from "../data/stored-value";
import { STRINGS } from "../strings/strings";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const parseTheme = (stored: unknown): Theme => THEMES.find((theme) => theme === stored) ?? "system";

/** Choice of the theme: that of the system, or another one. */
export function ThemeChoice() {
	const [theme, setTheme] = useStoredValue("stemma-theme", parseTheme);
	useEffect(() => {
		document.documentElement.dataset.theme = theme;
	}, [theme]);
	return (
		<label className="field-inline">
			<span>{STRINGS.app.theme}</span>
			<select value={theme} onChange={(event) => setTheme(parseTheme(event.target.value))}>
				{THEMES.map((name) => (
					<option key={name} value={name}>
						{STRINGS.app.themes[name]}
					</option>
				))}
			</select>
		</label>
	);
}
