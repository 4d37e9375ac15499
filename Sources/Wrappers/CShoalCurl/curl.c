#include "shoal_curl.h"
