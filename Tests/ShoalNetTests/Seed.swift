// First file of this target; replaced when its parts arrive.
