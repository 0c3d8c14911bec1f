export const formatNumber = (value) =>
	value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0 });

export const toTimes = (value) => `${value.toFixed(2)}x`;
