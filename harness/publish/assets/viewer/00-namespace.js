// The one global object, and the part of it that belongs to the replay viewer.
"use strict";
window.tacora = window.tacora || {};
window.tacora.viewer = {};
