// Nothing of its own: what the packages need, Metro does by itself.
const { getDefaultConfig } = require("@react-native/metro-config");

module.exports = getDefaultConfig(__dirname);
